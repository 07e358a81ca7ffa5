/** What a campaign comes to, in figures. */
import type { Outcome } from './campaign.ts';

/** Lines of a table: each kind of kill, how often, and how often its release went live. */
export function describeOutcomes(outcomes: readonly Outcome[]): string {
  const lines: string[] = [];
  for (const kind of ['phase', 'side', 'signal', 'target'] as const) {
    const groups = Map.groupBy(outcomes, ({ kill }) => kill[kind]);
    for (const [name, group] of groups) {
      const turned = group.filter(({ isTurned }) => isTurned).length;
      lines.push(`${kind} ${name}: ${group.length} kills, ${turned} went live all the same`);
    }
  }
  const turns = outcomes
    .filter(({ kill }) => kill.signal === 'SIGKILL')
    .map(({ death }) => death.lastTurn ?? 0);
  const ends = outcomes.map(({ death }) => death.ended);
  lines.push(
    `the latest turn after a SIGKILL: ${Math.round(Math.max(0, ...turns))} ms`,
    `the longest that anything ran after any signal: ${Math.round(Math.max(0, ...ends))} ms`,
    `rivals that went live: ${outcomes.filter(({ rival }) => rival === 'live').length}`,
  );
  return lines.join('\n');
}
