/** Vite imports a file as text when its name is followed by `?raw`. */
declare module '*?raw' {
  const text: string;
  export default text;
}
