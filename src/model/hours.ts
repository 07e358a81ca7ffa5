/** Numbers of hours in the settings of a store. */
import * as z from 'zod';

/** Ten years: longer than any rental, or any plan for one. */
export const MAX_HOURS = 87_600;

export const hoursSchema = z.number().min(0).max(MAX_HOURS);
