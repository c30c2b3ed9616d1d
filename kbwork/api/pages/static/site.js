// What pages gain with scripts; each of them works without.
"use strict";

function offerCopy(figure) {
  const button = figure.querySelector("[data-copy]");
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector("code").textContent.replace(/\n$/, ""));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy by hand";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

// What one writes blindly is looked at, until it is sent: browsers keep it as a password then.
function offerSight(input) {
  const label = Object.assign(document.createElement("label"), { className: "sight meta", title: "Show what is written" });
  const box = Object.assign(document.createElement("input"), { type: "checkbox" });
  label.append(box, "Show");
  box.addEventListener("change", () => { input.type = box.checked ? "text" : "password"; });
  input.form.addEventListener("submit", () => { input.type = "password"; });
  for (const [name, value] of Object.entries({ autocapitalize: "none", autocorrect: "off", spellcheck: "false" })) input.setAttribute(name, value);
  input.after(label);
}

// A field goes by another one until something of its own is written into it.
function follow(box) {
  const input = box.querySelector("input");
  const source = input.form.elements[box.dataset.follows];
  let isOwn = input.value !== "" || source.value !== "";
  source.addEventListener("input", () => { if (!isOwn) input.value = source.value; });
  input.addEventListener("input", () => { isOwn = true; });
  input.addEventListener("click", () => { if (!isOwn) input.select(); }); // what is written next takes its place
}

function wrapForCopy(pre) {
  const figure = document.createElement("figure");
  figure.className = "copy";
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet copier", hidden: true, textContent: "Copy" });
  button.dataset.copy = "";
  pre.replaceWith(figure);
  figure.append(button, pre);
}

// The client that was chosen last is chosen everywhere.
function rememberTab(input) {
  if (localStorage.getItem("kb-tab") === input.dataset.tab) input.checked = true;
  input.addEventListener("change", () => {
    localStorage.setItem("kb-tab", input.dataset.tab);
    for (const other of document.querySelectorAll("[data-tab]")) {
      if (other.dataset.tab === input.dataset.tab) other.checked = true;
    }
  });
}

function offerFind(field) {
  const rows = [...document.querySelectorAll(field.dataset.find + " [data-words]")];
  const groups = [...document.querySelectorAll("[data-group]")];
  field.hidden = false;
  field.querySelector("input").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.dataset.words.includes(word));
    for (const group of groups) group.hidden = !group.querySelector("[data-words]:not([hidden])");
  });
}

// Only one small form is open at a time; a click elsewhere or Escape closes it.
function closeOthers(event) {
  for (const open of document.querySelectorAll(".does details[open], .confirm[open]")) {
    if (event.type === "keydown" ? event.key === "Escape" : !open.contains(event.target)) {
      open.open = false;
      if (event.type === "keydown") open.querySelector("summary").focus();
    }
  }
}

// What is too wide is reached by the keyboard, and then scrolled by it; what fits is passed over.
const reached = new ResizeObserver((entries) => {
  for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});

for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = new Date(time.dateTime).toLocaleString();
}
document.querySelectorAll(".prose > pre").forEach(wrapForCopy);
document.querySelectorAll(".copy").forEach(offerCopy);
document.querySelectorAll(".prose pre, .prose table, .scroll").forEach((one) => reached.observe(one));
document.querySelectorAll(".field > [type='password']").forEach(offerSight);
document.querySelectorAll("[data-follows]").forEach(follow);
document.querySelectorAll("[data-tab]").forEach(rememberTab);
document.querySelectorAll("[data-find]").forEach(offerFind);
document.addEventListener("click", closeOthers);
document.addEventListener("keydown", closeOthers);
