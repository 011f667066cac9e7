/** What a person does on the way to a goal: clicks, fields and commands are counted, and the time is taken. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { n, type ResultTable } from '../../table.ts';
import type { Debian } from '../debian.ts';

export class Effort {
  readonly #rows: string[][] = [];
  readonly #pictures: string | undefined;
  #clicks = 0;
  #fields = 0;
  #commands = 0;
  #looks = 0;

  /** @param pictures the folder for pictures of the pages; undefined: none are taken */
  constructor(pictures: string | undefined) {
    this.#pictures = pictures;
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  }

  /** Its result; what it took becomes a row of the table. `before`: what the same goal took five people on 2026-11-28. */
  async goal<T>(name: string, before: string, act: () => Promise<T>): Promise<T> {
    console.log(name);
    [this.#clicks, this.#fields, this.#commands] = [0, 0, 0];
    const at = performance.now();
    const made = await act();
    const counts = [this.#clicks, this.#fields, this.#commands].map((count) => n(count));
    this.#rows.push([name, before, ...counts, n((performance.now() - at) / 1000, 1)]);
    return made;
  }

  table(): ResultTable {
    return { heads: ['goal', 'before (commit 08b0b284)', 'clicks', 'fields', 'commands', 'seconds'], rows: this.#rows };
  }

  async click(what: Locator): Promise<void> {
    this.#clicks++;
    await what.click();
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.#fields++;
    await field.fill(text);
  }

  /** Two clicks: one opens the list. */
  async choose(page: Page, label: string, option: string | RegExp): Promise<void> {
    await this.click(page.getByRole('combobox', { name: label }));
    await this.click(page.getByRole('listbox').getByRole('option', { name: option }));
  }

  /** A command in a shell of that host. @throws Error with its output if the exit code is not 0 */
  type(debian: Debian, line: string): string {
    this.#commands++;
    return debian.says('sh', ['-c', `cd /root && ${line}`]);
  }

  /** What is done by hand in another way: a link in a message, the lines of a file, a service that systemd would start. */
  counts({ clicks = 0, fields = 0, commands = 0 }: Partial<Record<'clicks' | 'fields' | 'commands', number>>): void {
    this.#clicks += clicks;
    this.#fields += fields;
    this.#commands += commands;
  }

  /** A picture of the page. */
  async look(page: Page, name: string): Promise<void> {
    if (this.#pictures === undefined) return;
    this.#looks++;
    const file = `${String(this.#looks).padStart(2, '0')}-${name}.png`;
    await page.screenshot({ path: path.join(this.#pictures, file) });
  }
}
