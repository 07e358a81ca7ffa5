/** Entry of the Worker. */
import { app } from './app.ts';

export default app satisfies ExportedHandler<Env>;
