/** Having this browser pushed to, or no more. */
import { server } from "../store/server.ts";
import { setting } from "./texts.ts";

/** Ask the person, the browser and the server. Throws with what to do where one of them says no. */
export async function subscribe(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(setting.denied);
  const registration = await navigator.serviceWorker.ready;
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await server.notifications.push_add({ endpoint: endpoint!, keys: keys as { p256dh: string; auth: string }, device: deviceName() });
}

export async function unsubscribe(found: PushSubscription): Promise<void> {
  await server.notifications.push_remove({ endpoint: found.endpoint });
  await found.unsubscribe();
}

/** As people tell their browsers apart. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0]?.replace("Edg", "Edge").replace("OPR", "Opera") ?? "Browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0] ?? "";
  return system ? `${browser}, ${system}` : browser;
}
