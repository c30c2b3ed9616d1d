// Passkeys: asks the server what to sign, the browser to have it signed, and sends the form with what came of it.
"use strict";

const bytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

const base64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

// As parseCreationOptionsFromJSON and parseRequestOptionsFromJSON do, which not every browser has yet.
function parsed(options) {
  const withBytes = (one) => ({ ...one, id: bytes(one.id) });
  const found = { ...options, challenge: bytes(options.challenge) };
  if (options.user) found.user = withBytes(options.user);
  for (const name of ["allowCredentials", "excludeCredentials"]) {
    if (options[name]) found[name] = options[name].map(withBytes);
  }
  return found;
}

function shown(credential) {
  const { response } = credential;
  const found = { clientDataJSON: base64url(response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) found[name] = base64url(response[name]);
  }
  if (response.getTransports) found.transports = response.getTransports();
  return { id: credential.id, rawId: base64url(credential.rawId), type: credential.type, response: found };
}

async function ask(form) {
  const purpose = form.dataset.passkey;
  const wanted = purpose === "second" ? { challenge: form.elements.half.value } : { purpose };
  const answer = await fetch("/api/v1/auth.passkey_begin", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wanted),
  });
  const begun = await answer.json();
  if (answer.ok) return begun;
  if (begun.type === "/problems/elevation-needed") {
    location.assign("/elevate?next=" + encodeURIComponent(location.pathname));
  }
  throw new Error(begun.detail);
}

function requireName(options) {
  const name = options.rpId ?? options.rp.id;
  if (location.hostname === name) return;
  const there = location.protocol + "//" + name + (location.port ? ":" + location.port : "") + location.pathname;
  throw new Error("Passkeys go by the name of a site: open this page as " + there);
}

async function sign(form) {
  const begun = await ask(form);
  requireName(begun.options);
  const publicKey = parsed(begun.options);
  const made = begun.options.rp
    ? await navigator.credentials.create({ publicKey })
    : await navigator.credentials.get({ publicKey });
  form.elements.challenge.value = begun.challenge;
  form.elements.response.value = JSON.stringify(shown(made));
  form.submit();
}

const WORDS = {
  NotAllowedError: "Nothing was signed: it was cancelled, or took too long.",
  InvalidStateError: "This device has a passkey for your account already.",
};

function offerPasskey(form) {
  const wrong = form.querySelector("[data-passkey-wrong]");
  const button = form.querySelector("button");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.hidden = true;
    button.disabled = true;
    try {
      await sign(form);
    } catch (error) {
      wrong.textContent = WORDS[error.name] ?? error.message;
      wrong.hidden = false;
      button.disabled = false;
    }
  });
}

if (window.PublicKeyCredential) {
  document.querySelectorAll("[data-passkey]").forEach(offerPasskey);
  document.querySelectorAll("[data-passkey-none]").forEach((words) => { words.hidden = true; });
}
