// @ts-check
// The setting of an explorer in the page's address, ?NAME.trait=value. Only the static page gives an explorer a NAME; in a
// notebook it has no address.

import { short } from "./format.js";

/** @import { Control } from "../../types" */

/**
 * What an address asks of an explorer: trait -> text.
 * @param {string} search the address from its question mark on
 * @param {string} name
 */
export const askedFor = (search, name) =>
  new Map(
    [...new URLSearchParams(search)]
      .filter(([key]) => key.startsWith(`${name}.`))
      .map(([key, text]) => [key.slice(name.length + 1), text]),
  );

/**
 * The value that a text has for a control, or else what it should have been.
 * @param {string} text
 * @param {Control} control
 * @returns {{ value?: any, wanted: string }}
 */
export function readSetting(text, control) {
  if ("options" in control) {
    const value = control.options.find((option) => String(option) === text);
    return { value, wanted: `one of ${control.options.join(", ")}` };
  }
  const { min, max, step, log } = control;
  const value = text.trim() ? Number(text) : NaN;
  const steps = (value - min) / step;
  const fits = value >= min && value <= max && (log || Math.abs(steps - Math.round(steps)) < 1e-6);
  const wanted = `a number from ${short(min, 9)} to ${short(max, 9)}`;
  return { value: fits ? value : undefined, wanted: log ? wanted : `${wanted} in steps of ${step}` };
}

/**
 * What an address says of some settings, from behind its question mark.
 * @param {string} name
 * @param {[trait: string, value: any][]} settings
 */
export const queryOf = (name, settings) =>
  settings.map(([trait, value]) => `${name}.${trait}=${encodeURIComponent(value)}`).join("&");

/**
 * Names an explorer as addresses do, and says above it what the address asks for and was not understood.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {string[]} faults
 */
export function placeAt(root, name, faults) {
  root.id = `explorer-${name}`;
  if (!faults.length) return;
  const note = document.createElement("p");
  note.className = "fault";
  note.setAttribute("role", "status");
  note.textContent = `This page\u2019s address asks for ${faults.join("; ")}. The usual setting is shown instead.`;
  root.prepend(note);
}
