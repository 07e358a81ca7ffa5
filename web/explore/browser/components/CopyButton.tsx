import { useState } from 'preact/hooks';

/** Copies a text, and says for two seconds whether it could. */
export function CopyButton({ name, text }: Readonly<{ name: string; text: string }>) {
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      setOutcome('Copying is not allowed here');
    }
    setTimeout(() => setOutcome(''), 2_000);
  };
  return (
    <button type="button" onClick={copy}>
      {outcome || name}
    </button>
  );
}
