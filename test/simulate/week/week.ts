import { day } from '../../../src/ground/durations.ts';
import { nightsOf, outagesOf, requestsOf } from './deeds.ts';
import { standingOn } from './estate.ts';
import { type Counted, type Figures, figuresOf, type PlantedTrouble } from './figures.ts';
import { maintained, monday } from './plan.ts';
import { type Deed, openTeam, runUntil, setUp, type Team } from './play.ts';
import { type Known, knownPosts, type Post } from './posts.ts';
import { type Trouble, troubles } from './troubles.ts';

export type WeekOptions = Readonly<{
  seed: string;
  /** How many days are played from Monday on, or what part of one, and how many databases a host has at most. */
  days?: number;
  most?: number;
  say?(line: string): void;
}>;

/** Plays the week of a seed, and counts what Dolly posted. */
export async function playWeek({ seed, days = 7, most, say = () => undefined }: WeekOptions) {
  const team = await openTeam(seed, most);
  try {
    await setUp(team);
    const planted: PlantedTrouble[] = [];
    team.agenda.push(...nightsOf(team), ...outagesOf(team), ...requestsOf(team));
    team.agenda.push(...troubles.map(trouble => plantingOf(team, trouble, planted)));
    const posts: (Post & Known)[] = [];
    const until = monday + days * day;
    for (let index = 0; index < days; index++) {
      const counted = team.posts.length;
      await runUntil(team, Math.min(until, monday + (index + 1) * day));
      // What Dolly keeps of it goes with her history.
      posts.push(...(await knownPosts(team.earth.store(), team.posts.slice(counted))));
      say(`day ${index + 1} is over: ${posts.length} messages`);
    }
    return { figures: figuresIn(team, { posts, planted, until }), posts };
  } finally {
    await team.close();
  }
}

/** The deed that plants a trouble, and later the one that mends it. */
function plantingOf(team: Team, trouble: Trouble, planted: PlantedTrouble[]): Deed {
  const { at, mendedAfter } = trouble;
  return {
    at,
    async does() {
      const since = team.earth.clock.now();
      const { name, mend } = await trouble.plant(team);
      planted.push({ trouble, at: since, name });
      if (mend && mendedAfter !== undefined) team.agenda.push({ at: at + mendedAfter, does: mend });
    },
  };
}

type Played = Pick<Counted, 'posts' | 'planted' | 'until'>;

function figuresIn({ earth, people }: Team, played: Played): Figures {
  return figuresOf({
    ...played,
    channel: earth.cards('#databases')[0]?.channel ?? '',
    people: Object.fromEntries(Object.entries(people).map(([name, { id }]) => [id, name])),
    onMaintained: standingOn(earth.service.service.estate, maintained.host).map(({ name }) => name),
  });
}
