/** A Worker that does nothing: what a process and an isolate cost before any code of ours. */
export default {
  fetch: () => new Response(null, { status: 204 }),
} satisfies ExportedHandler;
