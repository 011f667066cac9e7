declare module 'virtual:routes' {
  export const ROUTES: import('../contract/call.ts').Routes;
}
