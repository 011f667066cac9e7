/* The first file of the single executable: lays the agent down where this user's caches are, once, and starts it from there. */
const { closeSync, existsSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const path = require('node:path');
const sea = require('node:sea');

const VERSION = 'HASH';

/** What others could have put there is not run: the folder must be this user's alone. */
function isOurs(folder) {
  const { uid, mode } = lstatSync(folder);
  return lstatSync(folder).isDirectory() && uid === process.getuid() && (mode & 0o022) === 0;
}

function folderBelow(place) {
  const cache = path.join(place, `carillon-agent-${process.getuid()}`);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  if (!isOurs(cache)) throw new Error(`${cache} belongs to somebody else`);
  const folder = path.join(cache, VERSION);
  if (!existsSync(folder)) {
    const draft = path.join(cache, `.${VERSION}-${process.pid}`);
    rmSync(draft, { recursive: true, force: true });
    for (const name of sea.getAssetKeys()) lay(path.join(draft, name), Buffer.from(sea.getRawAsset(name)));
    // Whole or not at all; of two that come at once, one wins.
    try {
      renameSync(draft, folder);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  for (const name of sea.getAssetKeys()) {
    const laid = readFileSync(path.join(folder, name));
    if (!laid.equals(Buffer.from(sea.getRawAsset(name)))) throw new Error(`${path.join(folder, name)} was changed: remove ${folder}`);
  }
  return folder;
}

function lay(file, bytes) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const descriptor = openSync(file, 'wx', 0o600);
  writeSync(descriptor, bytes);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const places = [process.env.CACHE_DIRECTORY, process.env.XDG_CACHE_HOME, homedir() && path.join(homedir(), '.cache'), tmpdir()];
const faults = [];
let folder;
for (const place of places.filter(Boolean)) {
  try {
    folder = folderBelow(place);
    break;
  } catch (error) {
    faults.push(`  ${place}: ${error.message}`);
  }
}
if (folder === undefined) {
  console.error(`The agent found no folder for its parts; CACHE_DIRECTORY may name one:\n${faults.join('\n')}`);
  process.exit(1);
}
createRequire(path.join(folder, 'boot.cjs'))('./main.js');
