import { join } from 'node:path';
import { makePlaces } from '../../src/sandbox/service/mariadb/places.ts';
import { commandsOf } from '../../src/sandbox/service/mariadb/programs/commands.ts';
import { findTools } from '../../src/sandbox/service/mariadb/programs/tools.ts';
import { findAccount } from '../../src/sandbox/service/mariadb/wall/account.ts';
import { raiseWall } from '../../src/sandbox/service/mariadb/wall/raiseWall.ts';
import { startMariadbService } from './mariadbApi.ts';
import { newBare } from './mariadbBare.ts';
import { placesFor } from './mariadbPlace.ts';
import { cloneAt, makeClone, newestTree, pairs, placeFor, removeClone, type Subject, timed } from './mariadbSubject.ts';
import { atMost, type Figure, type Part } from './part.ts';

const never = new AbortController().signal;

/** What a clone costs beyond what its server and its wall cost anyway. It takes a minute: short enough for a quiet one. */
export const walledClone: Part = {
  name: 'walled-clone',
  summary: 'a virtual clone of a real MariaDB server beside a bare one behind the same wall, and the wall alone',
  group: 'Real MariaDB servers',
  async measure({ quick, say }) {
    const found = await findTools(process.env.PATH ?? '');
    const account = await findAccount();
    if ('missing' in found || account === undefined) {
      say('walled-clone: there is no MariaDB, or no user for it: no figures');
      return [];
    }
    const { tools } = found;
    const [place, ...others] = await placesFor(account, say);
    for (const other of others) other.remove();
    if (place === undefined) return [];
    try {
      const state = join(place.folder, 'state');
      const api = await startMariadbService(state, place.folder, 40);
      try {
        const wall = await raiseWall(account, await makePlaces(account, join(place.folder, 'bare'), []), tools, never);
        const live = (await api.list()).find(({ id }) => id.startsWith('MARIADB_LIVE_SERVER'));
        if (live === undefined) throw new Error('the example was not made');
        const turns = quick ? 10 : 60;
        const counts = { turns, rounds: 1, crowd: 0 };
        const home = join(state, 'live', live.name);
        const subject: Subject = { place, tools, api, state, live: live.id, home, name: 'walled', counts };
        const tree = await newestTree(subject);

        say(`walled-clone: ${turns} pairs behind ${wall.kind}`);
        const clone = async (kind: 'bare' | 'dolly') => {
          if (kind === 'bare') {
            const server = await newBare(place, tools, home, wall);
            const took = await timed(async () => {
              await server.copy(tree, place.means);
              await server.start();
            });
            await server.remove();
            return took;
          }
          const asked = await placeFor(subject);
          const took = await timed(() => makeClone(subject, 'VIRTUALCLONE', asked));
          await cloneAt(subject, asked.port);
          await removeClone(subject, asked.port);
          return took;
        };
        await pairs(place, 2, clone);
        const clones = await pairs(place, turns, clone);

        const commands = commandsOf(account, place.folder, { wall });
        const nothing = (kind: 'bare' | 'dolly') =>
          timed(() =>
            commands.run('/bin/true', [], { signal: never, room: kind === 'bare' ? undefined : { writes: [] } }),
          );
        await pairs(place, 2, nothing);
        const walls = await pairs(place, turns, nothing);
        const figures: readonly Figure[] = [
          {
            name: 'virtual clone without a script, request to first answer (floor: a bare one behind the same wall)',
            unit: 'ms',
            rounds: clones,
            aim: atMost('ratio', 1.3),
          },
          {
            name: 'the wall alone: a program that does nothing, behind it (floor: without it)',
            unit: 'ms',
            rounds: walls,
            aim: atMost('dolly', 20),
          },
        ];
        return figures;
      } finally {
        await api.stop();
      }
    } finally {
      place.remove();
    }
  },
};
