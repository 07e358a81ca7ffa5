/** The build of the library that has all it needs with it, which its package gives no types for. */
declare module '*/standalone.esm.js' {
  export { createApiReference } from '@scalar/api-reference';
}
