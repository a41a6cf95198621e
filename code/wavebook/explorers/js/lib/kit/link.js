// @ts-check
// The setting of an explorer in the page's address, ?NAME.trait=value, and the button that copies such an address. Only
// the static page gives an explorer a NAME; in a notebook it has no address.

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
 * The address of a page with the settings of one of its explorers, which comes into view there.
 * @param {string} address
 * @param {string} name
 * @param {[trait: string, value: any][]} settings
 */
export function linkTo(address, name, settings) {
  const query = settings.map(([trait, value]) => `${name}.${trait}=${encodeURIComponent(value)}`).join("&");
  return `${address.split(/[?#]/)[0]}${query && "?"}${query}#explorer-${name}`;
}

/**
 * Puts the button under an explorer, and above it what the address asks for and was not understood.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {() => [trait: string, value: any][]} settings those that are no longer as they were made
 * @param {string[]} faults
 * @param {(target: EventTarget, event: string, listener: (event: any) => void) => void} on
 */
export function share(root, name, settings, faults, on) {
  root.id = `explorer-${name}`;
  if (faults.length) {
    const note = document.createElement("p");
    note.className = "fault";
    note.setAttribute("role", "status");
    note.textContent = `This page\u2019s address asks for ${faults.join("; ")}. The usual setting is shown instead.`;
    root.prepend(note);
  }
  const row = document.createElement("div");
  row.className = "share";
  row.innerHTML =
    '<button type="button">Copy link</button><span role="status"></span>' +
    '<input readonly hidden aria-label="Link to this setting">';
  root.append(row);
  const [button, status, field] = /** @type {any} */ (row.children);
  on(button, "click", async () => {
    field.value = linkTo(location.href, name, settings());
    try {
      await navigator.clipboard.writeText(field.value);
      field.hidden = true;
      status.textContent = "Link to this setting copied.";
    } catch {
      // No clipboard here, or no leave to write to it.
      field.hidden = false;
      field.select();
      status.textContent = "Copy this link:";
    }
  });
}
