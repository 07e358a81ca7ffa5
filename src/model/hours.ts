/** Numbers of hours in the settings of a store. */
import { z } from 'zod';

/** Ten years: longer than anybody rents, or plans to. */
export const MOST_HOURS = 87_600;

export const hoursSchema = z.number().min(0).max(MOST_HOURS);
