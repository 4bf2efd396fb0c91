/** Say which pairs of scripts, `{name: [one, other]}` on standard input, are not the same tokens. */
const ts = require(process.argv[2]);

function tokens(text) {
  const file = ts.createSourceFile("script.js", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const found = [];
  (function walk(node) {
    const parts = node.getChildren(file);
    parts.forEach(walk);
    if (!parts.length && node.getText(file)) found.push(node.getText(file));
  })(file);
  return found.join("\0");
}

const scripts = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const others = Object.entries(scripts).filter(([, [one, other]]) => tokens(one) !== tokens(other));
process.stdout.write(JSON.stringify(others.map(([name]) => name)));
