// @ts-check
// ESLint over all JavaScript of the book. `npm ci`, then `npm run lint`, here in code/.

import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";

export default defineConfig([
  // not ours; not JavaScript
  globalIgnores(["bookext/static/jsep/", "bookext/static/minisearch/", "bookext/finish/temml/", "**/*.d.ts"]),
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      curly: ["error", "multi-line"],
      "default-case-last": "error",
      eqeqeq: "error",
      "no-else-return": "error",
      "no-implicit-coercion": "error",
      "no-implicit-globals": "error",
      "no-lonely-if": "error",
      "no-param-reassign": "error",
      "no-self-compare": "error",
      "no-template-curly-in-string": "error",
      "no-unneeded-ternary": "error",
      "no-unused-expressions": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-useless-concat": "error",
      "no-useless-rename": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "one-var": ["error", "never"],
      "prefer-const": "error",
      "prefer-object-has-own": "error",
      "prefer-rest-params": "error",
      "prefer-spread": "error",
      "prefer-template": "error",
      yoda: "error",
    },
  },
  { files: ["wavebook/**/*.js"], languageOptions: { globals: globals.browser } },
  {
    files: ["bookext/{finish,live,sphinx,static}/*.js"],
    languageOptions: {
      sourceType: "script",
      globals: {
        ...globals.browser,
        ...Object.fromEntries(
          [
            "DataTable",
            "jsep",
            "keeper",
            "makeRanking",
            "MiniSearch",
            "PASSAGES",
            "PREVIEWS",
            "SYMBOLS",
            "Stemmer",
            "stopwords",
          ].map((name) => [name, "readonly"]),
        ),
      },
    },
  },
  {
    files: ["bookext/live/worker.js"],
    languageOptions: { globals: { importScripts: "readonly", loadPyodide: "readonly" } },
  },
  { files: ["tests/js/**/*.js", "*.config.js"], languageOptions: { globals: globals.node } },
]);
