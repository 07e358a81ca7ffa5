/** Filters on settings of stores: a parameter for each setting of the model, of the setting's path. */
import * as z from 'zod';
import { CURRENCY_PATH, SETTINGS, type Setting, type SettingValue } from '../../model/settings.ts';
import { SETTINGS_PART } from '../../snapshot/settings-table.ts';
import { arrayOf, type Declaration, parameter, word } from '../parameters.ts';

/** Names that people try, and that no setting has in its path. */
const USUAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  'modules.onlinePayment.enabled': ['payment', 'payments', 'online_payment'],
  'modules.onlinePayment.methods.card': ['credit_card', 'creditcard', 'paymentmethods'],
  'modules.insurance.enabled': ['insured'],
  [CURRENCY_PATH]: ['currencies', 'currency_code', 'currencycode'],
  'booking.instantBooking.lcd': ['instant', 'instant_booking'],
  'booking.instantBooking.lld': ['instant', 'instant_booking'],
};

const CURRENCY_EXPECTED =
  'Expected the code of a currency that ISO 4217 lists as active, such as EUR';

/** Not `z.stringbool`, whose faults keep zod from looking for faults of several parameters. */
const TRUE_OR_FALSE = z.codec(z.enum(['true', 'false'], 'Expected true or false'), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

function parameterOf({ path, description, values }: Setting): z.ZodType {
  const usualNames = USUAL_NAMES[path] ?? [];
  const words = values.filter((value) => typeof value === 'string');
  if (words.length === 0) {
    const meant = `${description} Keeps the stores with this value.`;
    return parameter(TRUE_OR_FALSE, { description: meant, example: 'true', usualNames });
  }
  const isCurrency = path === CURRENCY_PATH;
  return parameter(arrayOf(isCurrency ? z.enum(words, CURRENCY_EXPECTED) : word(words)), {
    description: `${description} Keeps the stores with one of these values.`,
    example: isCurrency ? 'EUR,CHF' : words.slice(0, 2).join(),
    usualNames,
  });
}

/** Without names in its type: they come from the model. */
const shape: Record<never, z.ZodType> = Object.fromEntries(
  SETTINGS.map((setting) => [setting.path, parameterOf(setting)]),
);

export const SETTING_FILTERS: Declaration<typeof shape> = {
  shape,
  toCondition(asked: Readonly<Record<string, SettingValue | readonly SettingValue[]>>) {
    return SETTINGS.flatMap(({ path, values }) => {
      const sent = asked[path];
      if (sent === undefined) return [];
      // In the order of the model, each once, so that equal conditions have equal texts.
      const wanted = values.filter((value) => [sent].flat().includes(value));
      return {
        kind: 'stores',
        keeps: 'many',
        text: `${path}=${wanted}`,
        parts: [SETTINGS_PART],
        open: (release) => ({ test: release.table(SETTINGS_PART).test(path, wanted) }),
      };
    });
  },
};
