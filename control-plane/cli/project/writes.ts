/** Executes pending changes in order, through the dashboard's operations. */

import type { CallInput } from '../../contract/call.ts';
import { shownUrl } from '../../contract/notify/formats.ts';
import type { FileProbe, FileRegistrar, FileTest, FileWebhook } from '../../contract/project-file.ts';
import { EXIT, Stop, usage } from '../exit-codes.ts';
import { type Api, once, Refused } from '../session/api.ts';
import type { Change } from './changes.ts';
import type { WrittenProject } from './file.ts';
import { accountName, keyName, webhookName } from './secrets.ts';
import { readWorkers, type ServerProject } from './server-project.ts';

type Ids = Map<string, string>;

/** The maximum number of accounts in one request. */
const MAX_ACCOUNTS = 5000;

export class Writer {
  readonly #api: Api;
  readonly #written: WrittenProject;
  readonly #server: ServerProject | null;
  /** `kind key` -> id. It has existing and created things. */
  readonly #ids: Ids;
  readonly #prune: boolean;
  readonly #late: (() => Promise<unknown>)[] = [];
  /** `kind key` -> the version that was compared with the file. Later changes by others are not overwritten. */
  readonly #versions: Map<string, number>;
  #projectId: string;

  constructor(api: Api, written: WrittenProject, server: ServerProject | null, prune = false) {
    this.#api = api;
    this.#prune = prune;
    this.#written = written;
    this.#server = server;
    this.#projectId = server?.project.id ?? '';
    this.#ids = server === null ? new Map() : idsOf(server);
    this.#versions = server === null ? new Map() : versionsOf(server);
  }

  /** This is called before anything is changed. @throws Stop if a variable of a secret is not set */
  secretsAreThere(changes: readonly Change[]): void {
    const { project, secrets } = this.#written;
    for (const { kind, key } of changes) {
      if (kind === 'registrar') {
        if (this.#needsKey(key)) secrets.open(keyName(key));
        const accounts = project.registrars.find(({ slug }) => slug === key)?.sipAccounts ?? [];
        for (const { username } of accounts) if (this.#isNew(key, username)) secrets.open(accountName(key, username));
      }
      const webhook = project.webhooks.find((w) => kind === 'webhook' && shownUrl(w) === key);
      if (webhook !== undefined) secrets.open(webhookName(webhook.url));
    }
  }

  #needsKey = (registrar: string): boolean =>
    this.#server?.registrars.find(({ slug }) => slug === registrar)?.tls?.hasKey !== true;

  /** True: the API has no secret of this kind for the account. */
  #isNew(registrar: string, username: string): boolean {
    const accounts = this.#server?.registrars.find(({ slug }) => slug === registrar)?.accounts ?? [];
    const known = accounts.find((account) => account.username === username);
    return known?.secret !== (this.#written.secrets.kindOf(accountName(registrar, username)) ?? 'NONE');
  }

  async perform({ action, kind, key }: Change): Promise<void> {
    switch (kind) {
      case 'project':
        return this.#project(action);
      case 'recording':
        return action === 'DELETE'
          ? this.#delete('deleteMediaFile', 'mediaFileId', `recording ${key}`)
          : this.#recording(action, key);
      case 'registrar':
        return action === 'DELETE'
          ? this.#delete('deleteRegistrar', 'registrarId', `registrar ${key}`)
          : this.#registrar(action, key);
      case 'test':
        return action === 'DELETE' ? this.#delete('deleteTest', 'testId', `test ${key}`) : this.#test(action, key);
      case 'probe':
        return action === 'DELETE' ? this.#delete('deleteProbe', 'probeId', `probe ${key}`) : this.#probe(action, key);
      default:
        return action === 'DELETE'
          ? this.#delete('deleteWebhook', 'webhookId', `webhook ${key}`)
          : this.#webhook(action, key);
    }
  }

  async finish(): Promise<void> {
    for (const work of this.#late.splice(0)) await work();
  }

  /** Secrets are not returned, so it is unknown whether they differ: they are sent again. */
  async resendSecrets(): Promise<void> {
    for (const registrar of this.#written.project.registrars) {
      await this.#registrar('UPDATE', registrar.slug, true);
    }
    for (const webhook of this.#written.project.webhooks) await this.#webhook('UPDATE', shownUrl(webhook));
  }

  /**
   * The version is sent only once, because afterwards it is that of our own change. @throws Stop if somebody changed the thing in
   * the meantime
   */
  async #asCompared<T>(name: string, send: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
    const version = this.#versions.get(name);
    this.#versions.delete(name);
    return send(version === undefined ? {} : { 'if-match': `"${version}"` }).catch((error: unknown) => {
      if (!(error instanceof Refused && error.status === 412)) throw error;
      throw new Stop(EXIT.API, `The ${name} was changed by somebody else after it was compared: run plan again.`);
    });
  }

  #id(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw usage(`The file names the ${name}, which neither the file nor the project has.`);
    return id;
  }

  async #delete(
    operation: 'deleteMediaFile' | 'deleteRegistrar' | 'deleteTest' | 'deleteProbe' | 'deleteWebhook',
    parameter: string,
    name: string,
  ): Promise<void> {
    await this.#asCompared(name, (headers) =>
      this.#api.call(operation, { projectId: this.#projectId, [parameter]: this.#id(name) } as never, headers),
    );
  }

  async #project(action: Change['action']): Promise<void> {
    const { slug, name = slug, description } = this.#written.project;
    if (action === 'CREATE')
      this.#projectId = (await this.#api.call('createProject', { slug, name, description }, once())).id;
    else
      await this.#asCompared(`project ${slug}`, (headers) =>
        this.#api.call('updateProject', { projectId: this.#projectId, name, description }, headers),
      );
    this.#ids.set('registrar cloud', await this.#cloud());
    for (const { id, name: worker } of this.#server?.workers ?? (await readWorkers(this.#api)))
      this.#ids.set(`worker ${worker}`, id);
  }

  async #cloud(): Promise<string> {
    const { rows } = await this.#api.call('listRegistrars', { projectId: this.#projectId, per_page: 100 });
    return rows.find(({ isCloud }) => isCloud)?.id ?? '';
  }

  async #recording(action: Change['action'], name: string): Promise<void> {
    if (action === 'UPDATE')
      throw usage(
        `The recording ${name} has changed: give the new one a different name, tests that ran keep the old one.`,
      );
    const content = (await this.#written.recordings.get(name)?.read())?.toString('base64') ?? '';
    const { id } = await this.#api.call('createMediaFile', { projectId: this.#projectId, name, content }, once());
    this.#ids.set(`recording ${name}`, id);
  }

  async #registrar(action: Change['action'], slug: string, again = false): Promise<void> {
    const {
      sipAccounts,
      tls,
      slug: _,
      ...registrar
    } = this.#written.project.registrars.find((r) => r.slug === slug) as FileRegistrar;
    const key = again || this.#needsKey(slug) ? this.#written.secrets.open(keyName(slug))?.reveal() : undefined;
    const body = {
      ...registrar,
      tls: tls && { verify: tls.verify, ca: tls.ca, certificate: tls.certificate, ...(key !== undefined && { key }) },
    };
    const projectId = this.#projectId;
    if (action === 'CREATE')
      this.#ids.set(
        `registrar ${slug}`,
        (await this.#api.call('createRegistrar', { projectId, slug, ...body }, once())).id,
      );
    else {
      const registrarId = this.#id(`registrar ${slug}`);
      await this.#asCompared(`registrar ${slug}`, (headers) =>
        this.#api.call('updateRegistrar', { projectId, registrarId, ...body }, headers),
      );
    }
    await this.#accounts(slug, sipAccounts, again);
  }

  async #accounts(slug: string, wanted: FileRegistrar['sipAccounts'], again: boolean): Promise<void> {
    const ref = { projectId: this.#projectId, registrarId: this.#id(`registrar ${slug}`) };
    const there = new Map(this.#server?.registrars.find((r) => r.slug === slug)?.accounts.map((a) => [a.username, a]));
    const made = wanted
      .filter(({ username }) => !there.has(username))
      .map((account) => ({ ...account, ...this.#secretOf(slug, account.username) }));
    for (let from = 0; from < made.length; from += MAX_ACCOUNTS) {
      const some = made.slice(from, from + MAX_ACCOUNTS) as never;
      const { sipAccounts } = await this.#api.call('createSipAccounts', { ...ref, sipAccounts: some }, once());
      for (const { id, username } of sipAccounts) this.#ids.set(`SIP account ${slug} ${username}`, id);
    }
    const others = [...there.values()].filter(({ username }) =>
      wanted.every((account) => account.username !== username),
    );
    // A test may refer to them until it is changed, so they are deleted later.
    if (this.#prune)
      for (const { id } of others)
        this.#late.push(() => this.#api.call('deleteSipAccount', { ...ref, sipAccountId: id }));
    for (const { username, authName, displayName, number, values } of wanted) {
      const known = there.get(username);
      if (known === undefined) continue;
      const kind = this.#written.secrets.kindOf(accountName(slug, username)) ?? 'NONE';
      const isSame =
        kind === known.secret &&
        JSON.stringify([authName, displayName, number, values]) ===
          JSON.stringify([known.authName, known.displayName, known.number, known.values]);
      if (isSame && !again) continue;
      const secret = kind === known.secret && !again ? {} : this.#secretOf(slug, username);
      await this.#api.call('updateSipAccount', {
        ...ref,
        sipAccountId: known.id,
        authName,
        displayName,
        number,
        values,
        ...secret,
      });
    }
  }

  #secretOf(slug: string, username: string) {
    const name = accountName(slug, username);
    const secret = this.#written.secrets.open(name)?.reveal() ?? null;
    return this.#written.secrets.kindOf(name) === 'HA1' ? { ha1: secret } : { password: secret };
  }

  #callPath({ registrar, placement }: Pick<FileProbe['test'], 'registrar' | 'placement'>) {
    return {
      registrarId: this.#id(`registrar ${registrar}`),
      placement:
        placement.mode === 'REGION'
          ? placement
          : { mode: placement.mode, workerIds: placement.workers.map((name) => this.#id(`worker ${name}`)) },
    };
  }

  async #test(action: Change['action'], slug: string): Promise<void> {
    const { groups, slug: _, ...test } = this.#written.project.tests.find((t) => t.slug === slug) as FileTest;
    const known = this.#server?.tests.find((t) => t.slug === slug);
    const body = {
      ...test,
      groups: groups.map(({ registrar, placement, mediaTracks, subPopulations, ...group }) => {
        // A group that keeps its name keeps its id.
        const same = known?.groups.find(({ name }) => name === group.name);
        return {
          ...group,
          ...(same && { id: same.id }),
          ...this.#callPath({ registrar, placement }),
          mediaTracks: mediaTracks.map(({ mediaFile, ...track }) => ({
            ...track,
            mediaFileId: mediaFile && this.#id(`recording ${mediaFile}`),
          })),
          subPopulations: subPopulations.map(({ sipAccounts, ...s }) => {
            const id = same?.subPopulations.find(({ name }) => name === s.name)?.id;
            return {
              ...s,
              ...(id && { id }),
              sipAccountIds: sipAccounts?.map((username) => this.#id(`SIP account ${registrar} ${username}`)) ?? null,
            };
          }),
        };
      }),
    };
    const projectId = this.#projectId;
    if (action === 'CREATE')
      await this.#api.call('createTest', { projectId, slug, ...body } as CallInput<'createTest'>, once());
    else
      await this.#asCompared(`test ${slug}`, (headers) =>
        this.#api.call(
          'updateTest',
          { projectId, testId: this.#id(`test ${slug}`), ...body } as CallInput<'updateTest'>,
          headers,
        ),
      );
  }

  async #probe(action: Change['action'], slug: string): Promise<void> {
    const {
      parent,
      test,
      thresholds,
      slug: _,
      ...probe
    } = this.#written.project.probes.find((p) => p.slug === slug) as FileProbe;
    const { registrar, placement, ...call } = test;
    const body = {
      ...probe,
      thresholds,
      parentProbeId: parent === null ? null : this.#id(`probe ${parent}`),
      test: { ...call, ...this.#callPath({ registrar, placement }) },
    };
    const projectId = this.#projectId;
    if (action === 'CREATE')
      this.#ids.set(
        `probe ${slug}`,
        (await this.#api.call('createProbe', { projectId, slug, ...body } as CallInput<'createProbe'>, once())).id,
      );
    else
      await this.#asCompared(`probe ${slug}`, (headers) =>
        this.#api.call(
          'updateProbe',
          { projectId, probeId: this.#id(`probe ${slug}`), ...body } as CallInput<'updateProbe'>,
          headers,
        ),
      );
  }

  async #webhook(action: Change['action'], key: string): Promise<void> {
    const { url, format, events } = this.#written.project.webhooks.find((w) => key === shownUrl(w)) as FileWebhook;
    const secret = this.#written.secrets.open(webhookName(url))?.reveal();
    const projectId = this.#projectId;
    const body = { url, format, events, ...(secret !== undefined && { secret }) };
    if (action === 'CREATE') await this.#api.call('createWebhook', { projectId, ...body }, once());
    else
      await this.#asCompared(`webhook ${key}`, (headers) =>
        this.#api.call('updateWebhook', { projectId, webhookId: this.#id(`webhook ${key}`), ...body }, headers),
      );
  }
}

function idsOf(server: ServerProject): Ids {
  const ids: Ids = new Map();
  for (const r of server.registrars) {
    ids.set(`registrar ${r.slug}`, r.id);
    for (const a of r.accounts) ids.set(`SIP account ${r.slug} ${a.username}`, a.id);
  }
  for (const { id, slug } of server.tests) ids.set(`test ${slug}`, id);
  for (const { id, slug } of server.probes) ids.set(`probe ${slug}`, id);
  for (const { id, name } of server.mediaFiles) ids.set(`recording ${name}`, id);
  for (const { id, name } of server.workers) ids.set(`worker ${name}`, id);
  for (const { id, url } of server.webhooks ?? []) ids.set(`webhook ${url}`, id);
  return ids;
}

function versionsOf(server: ServerProject): Map<string, number> {
  const { project, registrars, tests, probes } = server;
  return new Map([
    [`project ${project.slug}`, project.version],
    ...registrars.map(({ slug, version }): [string, number] => [`registrar ${slug}`, version]),
    ...tests.map(({ slug, version }): [string, number] => [`test ${slug}`, version]),
    ...probes.map(({ slug, version }): [string, number] => [`probe ${slug}`, version]),
    ...(server.webhooks ?? []).map(({ url, version }): [string, number] => [`webhook ${url}`, version]),
  ]);
}
