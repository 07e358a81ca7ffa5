/** A walk over the whole directory, as of a partner who keeps a copy. */
import { LIST_PATH } from '../../src/http/paths.ts';
import type { Connection } from '../client/connection.ts';
import { withConnections } from '../client/drive.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';

const PAGE = 100;
const CONNECTIONS = 4;

/** Asks for every page once. @throws Error when one is not answered with 200 */
export async function walkDirectory(scene: Scene, service: RunningContender): Promise<void> {
  const { storeCount } = scene.data;
  let next = 0;
  const walk = async (connection: Connection) => {
    while (next < storeCount) {
      const path = `${LIST_PATH}?skip=${next}&limit=${PAGE}`;
      next += PAGE;
      const { status } = await connection.send(scene.writer.writePath(path));
      if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    }
  };
  await withConnections(service.port, CONNECTIONS, (connections) =>
    Promise.all(connections.map(walk)),
  );
}
