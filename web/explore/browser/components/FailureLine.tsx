import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '../model/latest.ts';
import { describeFailure } from '../model/words.ts';

/** Says why there is no new answer, and when the service is asked again. */
export function FailureLine({
  of: { error, until },
  onRetry,
}: Readonly<{ of: Failure; onRetry: () => void }>) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = until === null ? 0 : Math.max(0, Math.ceil((until - now.value) / 1000));
  return (
    <p class="failure">
      <span role="alert">{describeFailure(error)}</span>
      {until !== null && (
        <span>{seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again …'}</span>
      )}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}
