/** Whether this browser is pushed to. */

/** As the push service of the browser knows it; null: it is not; undefined: it cannot be. */
export async function subscription(): Promise<PushSubscription | null | undefined> {
  const worker = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  const registration = await worker?.getRegistration();
  return (registration as { pushManager?: PushManager } | undefined)?.pushManager?.getSubscription();
}

/** What is for somebody who is here no more comes here no more: the server hears of it when it pushes next. */
export async function endPushes(): Promise<void> {
  await subscription()
    .then((found) => found?.unsubscribe())
    .catch(() => undefined); // the browser has none, as in a private window
}
