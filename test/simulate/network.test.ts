import { describe, expect, test } from 'vitest';
import { type Host, type Kernel, newKernel } from './kernel.ts';
import { type Answer, type Exchange, type Fate, type Handler, layNetwork, type Network } from './network.ts';

const usual: Fate = { requestTakes: 10, answerTakes: 20 };
const hello: Answer = { status: 200, headers: {}, body: 'hello' };

type Rig = Readonly<{
  kernel: Kernel;
  network: Network;
  sender: Host;
  server: Host;
  /** What the server got. */
  served: string[];
  /** What the sender heard, and when, in milliseconds. */
  heard: string[];
  exchange(): Exchange;
}>;

/** Sends one request at 100 ms, and runs until nothing happens any more. */
async function sent(fate: Partial<Fate> = {}, arrange: (rig: Rig) => Handler | undefined = () => undefined) {
  const kernel = newKernel('1', 0, { passes: () => undefined, happened: () => undefined });
  const served: string[] = [];
  const heard: string[] = [];
  const network = layNetwork(kernel, {
    fate: () => ({ ...usual, ...fate }),
    errandOf: () => 'write',
    sent: () => undefined,
    arrived: () => undefined,
  });
  const [sender, server] = [kernel.raise('sender'), kernel.raise('server')];
  const exchange = () => {
    const [only] = network.exchanges;
    if (!only) throw new Error('nothing was sent');
    return only;
  };
  const rig = { kernel, network, sender, server, served, heard, exchange };
  const handler = arrange(rig) ?? (async () => hello);
  const port = network.listen(0, server, wire => {
    served.push(`${wire.method} ${wire.url.pathname} at ${kernel.now()}`);
    return handler(wire);
  });
  network.name('server.invalid', () => port);
  kernel.after(100, sender, 'send', () => {
    const limit = new AbortController();
    kernel.after(30_000, sender, 'limit', () => limit.abort(new Error('took too long')));
    const wire = { method: 'POST', url: new URL('http://server.invalid/path'), headers: {}, body: '' };
    network.send(wire, limit.signal).then(
      ({ status, body }) => heard.push(`${status} ${body} at ${kernel.now()}`),
      error => heard.push(`${error.message}${kernel.now() < 10_000 ? '' : ' in the end'}`),
    );
  });
  await kernel.run(() => false, 60_000);
  return rig;
}

describe('a request', () => {
  test('a simulated request arrives, and its answer comes back, each after its time', async () => {
    const { served, heard, exchange } = await sent();
    expect(served).toEqual(['POST /path at 110']);
    expect(heard).toEqual(['200 hello at 130']);
    expect(exchange()).toMatchObject({ sentAt: 100, arrivedAt: 110, known: 'answered' });
  });

  test('a simulated request that is lost is not served, and its sender sees a reset that says nothing', async () => {
    const { served, heard, exchange } = await sent({ lost: 'request' });
    expect(served).toEqual([]);
    expect(heard).toEqual(['ECONNRESET']);
    expect(exchange()).toMatchObject({ known: 'unclear' });
  });

  test('a simulated request whose answer is lost is served, and its sender sees the same reset', async () => {
    const { served, heard, exchange } = await sent({ lost: 'answer' });
    expect(served).toHaveLength(1);
    expect(heard).toEqual(['ECONNRESET']);
    expect(exchange()).toMatchObject({ known: 'unclear', answer: hello });
  });

  test.each(['request', 'answer'] as const)(
    'a simulated request whose %s is lost silently is waited for until the sender’s own limit',
    async lost => {
      const { heard, exchange } = await sent({ lost, isSilent: true });
      expect(heard).toEqual(['took too long in the end']);
      expect(exchange().known).toBe('unclear');
    },
  );

  test('a simulated request where nothing listens is refused, so the sender knows that nothing left', async () => {
    const { served, heard, exchange } = await sent({ isAway: true });
    expect(served).toEqual([]);
    expect(heard).toEqual(['ECONNREFUSED']);
    expect(exchange().known).toBe('unsent');
  });

  test('a simulated request that is answered on the way is not served', async () => {
    const { served, heard } = await sent({ instead: { status: 502, headers: {}, body: 'no way' } });
    expect(served).toEqual([]);
    expect(heard).toEqual(['502 no way at 130']);
  });

  test('a simulated request whose handler fails is broken off', async () => {
    const { heard } = await sent({}, () => async () => {
      throw new Error('broken');
    });
    expect(heard).toEqual(['ECONNRESET']);
  });
});

describe('a server that dies', () => {
  const dies = ({ kernel, network, server }: Rig, ms: number) =>
    kernel.after(ms, kernel.raise('operator'), 'kill', () => {
      server.isUp = false;
      network.died(server);
    });

  test('a simulated server that dies before a request arrives refuses it', async () => {
    const { served, heard } = await sent({}, rig => void dies(rig, 105));
    expect(served).toEqual([]);
    expect(heard).toEqual(['ECONNREFUSED']);
  });

  test('a simulated server that dies with a request in its hands breaks it off', async () => {
    const { served, heard } = await sent({}, rig => {
      dies(rig, 200);
      return () => new Promise<Answer>(() => undefined);
    });
    expect(served).toHaveLength(1);
    expect(heard).toEqual(['ECONNRESET']);
  });

  test('a simulated server that has died answers nothing any more, although its work goes on', async () => {
    const { heard, exchange } = await sent({}, rig => {
      dies(rig, 200);
      return () =>
        new Promise<Answer>(
          resolve => void rig.kernel.after(300, rig.kernel.raise('other'), 'late', () => resolve(hello)),
        );
    });
    expect(heard).toEqual(['ECONNRESET']);
    expect(exchange().answer).toBeUndefined();
  });

  test('a simulated server that dies after its answer has left takes nothing back', async () => {
    const { heard } = await sent({}, rig => void dies(rig, 115));
    expect(heard).toEqual(['200 hello at 130']);
  });
});

test('a simulated sender that is dead hears nothing', async () => {
  const { heard, exchange } = await sent({}, ({ kernel, sender }) => {
    kernel.after(120, kernel.raise('operator'), 'kill', () => {
      sender.isUp = false;
    });
    return undefined;
  });
  expect(heard).toEqual([]);
  expect(exchange()).toMatchObject({ answer: hello, known: 'nothing' });
});
