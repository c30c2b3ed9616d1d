/** A style as its text, of which the build takes out what browsers do not need. */
declare module "*.css" {
  const text: string;
  export default text;
}
