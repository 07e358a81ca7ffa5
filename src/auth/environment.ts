/** Where the service runs; each environment has its own tokens and its own stores. */
export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;

export type Environment = (typeof ENVIRONMENTS)[number];

export function isEnvironment(text: string): text is Environment {
  return ENVIRONMENTS.some((environment) => environment === text);
}
