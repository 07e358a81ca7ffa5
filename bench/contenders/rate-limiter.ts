/**
 * The rate limiting binding as the platform has it: an object in the isolate of the Worker that
 * counts in memory, without storage or network on the way (the platform shares counters behind the
 * answers). Its limit is never reached.
 */
const counts = new Map<string, number>();

/** Makes a limiter: workerd calls this once for each binding. */
export default function makeRateLimiter() {
  return {
    async limit({ key }: { key: string }): Promise<{ success: boolean }> {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count < Number.MAX_SAFE_INTEGER };
    },
  };
}
