/** Says how many stores the service has. */
void showHealth();

async function showHealth(): Promise<void> {
  const response = await fetch('/healthz');
  const { storeCount }: { storeCount?: number } = await response.json();
  const health = document.querySelector('#health');
  if (health) health.textContent = `${storeCount ?? 0} stores are published.`;
}

export {};
