/** Built into dist/, which the control plane serves (http/dashboard.ts). Without requests to other hosts. */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { CATALOGUE } from '../contract/catalogue.ts';
import * as defaults from '../contract/test/defaults.ts';

const ROUTES = 'virtual:routes';

/** The browser needs methods and paths of the catalogue; its schemas are three times as large as the rest. */
const routes = (): Plugin => ({
  name: 'routes',
  resolveId: (id) => (id === ROUTES ? `\0${ROUTES}` : null),
  load(id) {
    if (id !== `\0${ROUTES}`) return null;
    const rows = Object.entries(CATALOGUE).map(([name, { method, path, answers }]) => [
      name,
      { method, path, answers },
    ]);
    return `export const ROUTES = ${JSON.stringify(Object.fromEntries(rows))};`;
  },
});

/** Of the settings of tests the browser needs plain values, which their schemas are read for here. */
const plainValues = (): Plugin => ({
  name: 'plain-values',
  load(id) {
    if (!id.endsWith('/contract/test/defaults.ts')) return null;
    return Object.entries(defaults)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
      .join('');
  },
});

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [routes(), plainValues(), react()],
  // The test runner installs an older React at the root of the packages.
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A page's own imports name its other scripts: a list of all of them would be loaded before the first page.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => file.endsWith('.css')) : files,
    },
  },
});
