/** Styles hold tokens alone: a colour or a size of letters stands in the one file of tokens, for app, pages and portal. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const APP = fileURLToPath(new URL("../src", import.meta.url));
const PAGES = fileURLToPath(new URL("../../../kbwork/api/pages/static", import.meta.url));
const TOKENS = join(PAGES, "tokens.css");

const NAMED =
  "aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse chocolate coral" +
  " cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange" +
  " darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey" +
  " dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo" +
  " ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink" +
  " lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine" +
  " mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose" +
  " moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru" +
  " pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue" +
  " slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen";
/** Of the reader's own choice of colours: in no other case does a style name them. */
const SYSTEM =
  "accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field fieldtext graytext highlight highlighttext linktext" +
  " mark marktext selecteditem selecteditemtext visitedtext";
const SIZES = "xx-small x-small small medium large x-large xx-large xxx-large smaller larger";
const of = (names) => new RegExp(String.raw`(?<![\w-])(?:${names.replaceAll(" ", "|")})(?![\w(-])`, "i");

/** What is wrong with a value of a property; `forced`: it is for those who chose colours of their own. */
function faultOf(property, value, forced) {
  const bare = value.replace(/var\(\s*--[\w-]+\s*\)/g, "var");
  // A function of tokens alone mixes what they hold.
  const functions = bare.match(/(?<![\w-])(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^)]*\)/gi) ?? [];
  if (functions.some((one) => /\d|from/.test(one)) || /#[\da-f]{3,8}(?![\w-])/i.test(bare)) return "a colour";
  // What an animation, an area or a counter is called is nobody's colour.
  const isName = /^(?:animation|grid|container|counter|view-transition|content$|font-family$|will-change$|transition)/.test(property);
  if (!isName && of(NAMED).test(bare)) return "a colour by name";
  if (!isName && !forced && of(SYSTEM).test(bare)) return "a colour of the system";
  const sizes = property === "font-size" ? bare : property === "font" ? bare.replace(/\/\s*[\w.%]+/, "") : "";
  if (/(?<![\w.-])(?:\d*\.)?\d+(?:[a-z]+|%)/i.test(sizes) || of(SIZES).test(sizes)) return "a size of letters";
  return undefined;
}

/** The declarations of a style sheet with the rules that they stand in. */
function declarationsOf(source) {
  const text = source.replace(/\/\*[^]*?\*\//g, " ").replace(/"[^"]*"|'[^']*'/g, '""');
  const [found, within] = [[], []];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (!"{};".includes(sign)) continue;
    const said = text.slice(from, at).trim();
    from = at + 1;
    if (sign === "{") within.push(said);
    else {
      const [, property, value] = /^(--[\w-]+|[a-z-]+)\s*:([^]*)$/.exec(said) ?? [];
      if (property) found.push({ property, value: value.trim(), within: [...within] });
      if (sign === "}") within.pop();
    }
  }
  return found;
}

function faultsIn(source) {
  return declarationsOf(source).flatMap(({ property, value, within }) => {
    const fault = faultOf(property, value, within.some((rule) => /forced-colors\s*:\s*active/.test(rule)));
    return fault ? [`${within.at(-1)}: ${property}: ${value} is ${fault}`] : [];
  });
}

const sheets = await Promise.all(
  [APP, PAGES].map(async (folder) => (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".css")).map((path) => join(folder, path))),
);
const PATHS = sheets.flat().filter((path) => path !== TOKENS);

test("a colour or a size of letters stands with the tokens alone", async () => {
  assert.ok(PATHS.length > 15);
  for (const path of PATHS) assert.deepEqual(faultsIn(await readFile(path, "utf8")), [], path);
});

test("each size of letters that a style asks for is there", async () => {
  const known = new Set(declarationsOf(await readFile(TOKENS, "utf8")).map(({ property }) => property));
  for (const path of PATHS) {
    const asked = [...(await readFile(path, "utf8")).matchAll(/var\((--font-[\w-]+)/g)].map(([, name]) => name);
    assert.deepEqual(asked.filter((name) => !known.has(name)), [], path);
  }
});

test("what does not is found, and what does is left", () => {
  const wrong = [
    "a { color: #fff; }", "a { border: 1px solid oklch(0.5 0.1 20); }", "a { background: rgb(0 0 0 / 50%); }", "a { color: white; }",
    "a { --own: hsl(var(--hue) 50% 50%); }", "a { outline: 2px solid Highlight; }", "a { font-size: 13px; }", "a { font: 600 0.9em/1.5 var(--mono); }",
    "a { font-size: larger; }", "@media (max-width: 1px) { a { & b { fill: RED; } } }", "a { color: oklch(from var(--accent) l c h); }",
  ];
  for (const source of wrong) assert.equal(faultsIn(source).length, 1, source);
  const right = [
    "a { color: currentColor; background: transparent; border-color: inherit; }", "a { font: 600 var(--font-body)/18px var(--mono); font-size: var(--font-code); }",
    "a { background: color-mix(in oklch, var(--accent) 12%, var(--bg)); color: oklch(var(--tint) var(--hue)); }", "a { white-space: nowrap; font: inherit; }",
    "@media (forced-colors: active) { a { outline: 2px solid Highlight; color: CanvasText; } }", "a { animation: tan 1s; } a#fade:hover { content: 'red'; }",
    "/* #fff */ a { grid-area: gold; }",
  ];
  for (const source of right) assert.deepEqual(faultsIn(source), [], source);
});
