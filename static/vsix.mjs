/** The package of an extension for editors, as they install it: the same files give the same archive. */
import { deflateRawSync } from "node:zlib";

/** The first day that a zip can name. */
const DAY = 33;

/** `made` is its `package.json`; its files stand below `extension/`. */
export function vsix(made, files) {
  return zip({
    "extension.vsixmanifest": manifest(made),
    "[Content_Types].xml": types(Object.keys(files)),
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`extension/${name}`, content])),
  });
}

function manifest({ name, displayName, description, publisher, version, engines, categories, extensionKind }) {
  const properties = { "Microsoft.VisualStudio.Code.Engine": engines.vscode, "Microsoft.VisualStudio.Code.ExtensionKind": extensionKind.join() };
  const told = Object.entries(properties).map(([id, value]) => `<Property Id="${id}" Value="${value}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
<DisplayName>${displayName}</DisplayName>
<Description xml:space="preserve">${description}</Description>
<Categories>${categories.join()}</Categories>
<Properties>${told.join("")}</Properties>
<License>extension/LICENSE.txt</License>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/readme.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
</Assets>
</PackageManifest>
`;
}

function types(names) {
  const kinds = { json: "application/json", js: "application/javascript", md: "text/markdown", svg: "image/svg+xml", txt: "text/plain" };
  const ends = [...new Set(names.map((name) => name.split(".").pop()))].sort();
  const told = [...ends.map((end) => [end, kinds[end]]), ["vsixmanifest", "text/xml"]];
  const lines = told.map(([end, kind]) => `<Default Extension=".${end}" ContentType="${kind}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${lines.join("")}</Types>
`;
}

/** One file behind the other, each deflated, and a list of them at the end. */
function zip(files) {
  const bodies = [];
  const list = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain, { level: 9 });
    const called = Buffer.from(name);
    // Version 2.0, a name in UTF-8, deflated, at midnight.
    const told = numbers([20, 2], [0x800, 2], [8, 2], [0, 2], [DAY, 2], [crc32(plain), 4], [packed.length, 4], [plain.length, 4], [called.length, 2], [0, 2]);
    const head = Buffer.concat([numbers([0x04034b50, 4]), told, called]);
    bodies.push(head, packed);
    list.push(Buffer.concat([numbers([0x02014b50, 4], [20, 2]), told, numbers([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), called]));
    at += head.length + packed.length;
  }
  const listed = Buffer.concat(list);
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [list.length, 2], [list.length, 2], [listed.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...bodies, listed, end]);
}

/** Each in so many bytes, the lowest first. */
function numbers(...given) {
  const made = Buffer.alloc(given.reduce((all, [, bytes]) => all + bytes, 0));
  let at = 0;
  for (const [value, bytes] of given) at = made.writeUIntLE(value, at, bytes);
  return made;
}

/** Node has one of its own since 22.2 alone. */
function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
