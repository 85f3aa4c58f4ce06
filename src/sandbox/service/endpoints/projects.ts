import { removeRecord } from '../change.ts';
import { type Endpoint, get, write } from '../endpoint.ts';
import { inputQuery } from '../input.ts';
import { bookkeeping } from '../jobs.ts';
import { find } from '../lookups.ts';
import { projectRecord } from '../records.ts';
import { Refusal } from '../refusal.ts';

/** Spec §4.9. */
export const projectEndpoints: readonly Endpoint[] = [
  get('/project/list', ({ estate }) => [...estate.projects.values()].map(projectRecord)),

  get('/project/{id}', ({ estate }, id) => projectRecord(find(estate.projects, id, ['PROJECT']))),

  write({
    method: 'DELETE',
    path: '/project/delete',
    input: inputQuery,
    developer: 'none',
    find: ({ estate }, id) => ({ project: find(estate.projects, id, ['PROJECT']) }),
    check({ project: { id, state } }) {
      if (state === 'DELETING') throw new Refusal('WRONG_STATE', `${id} is being deleted`);
    },
    texts: ({ project }) => [project.name],
    begin(accepted) {
      const { context, project } = accepted;
      const { estate, clock } = context;
      return removeRecord(accepted, project, {
        lasts: 1_000,
        work: task => bookkeeping(clock, task),
        done() {
          estate.projects.delete(project.id);
          // A project only groups databases: they outlive it.
          for (const database of estate.databases.values())
            if (database.project === project.id) database.project = undefined;
        },
      });
    },
  }),
];
