declare module 'virtual:routes' {
  export const ROUTES: import('../contract/call.ts').Routes;
}

declare module '*.css';
