// @ts-check
// What Python hands over: the ranges of the controls and every constant. The package writes this module anew for each
// explorer (wavebook.explorers.modules); what is here stands in for it where the modules are checked by themselves.

/** @type {import("./types").Spec} */
export const SPEC = { slug: "", traits: {}, constants: {}, diverging: [] };
