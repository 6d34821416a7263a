import { useSyncExternalStore } from "react";

/** `no` is a browser that cannot, `refused` one that was told not to. */
export type NotifyState = "no" | "off" | "on" | "refused";

const key = "guild-hall-notify";

/** Whether the browser tells of runs that ended out of sight. Nobody is asked before they want it. */
export function useRunNotifications() {
  const state = useSyncExternalStore(subscribe, stateNow, () => "no" as const);
  return {
    state,
    async turn(isOn: boolean): Promise<void> {
      if (isOn && Notification.permission === "default") await Notification.requestPermission();
      localStorage.setItem(key, isOn && Notification.permission === "granted" ? "on" : "off");
      window.dispatchEvent(new Event(changed));
    },
  };
}

/** A second one about the same thing takes the place of the first. */
export function notify(about: string, title: string, body: string, open?: () => void): void {
  if (stateNow() !== "on") return;
  const shown = new Notification(title, { body, tag: about, icon: "/icon.svg" });
  shown.addEventListener("click", () => {
    window.focus();
    open?.();
    shown.close();
  });
}

function stateNow(): NotifyState {
  if (!("Notification" in window)) return "no";
  if (Notification.permission === "denied") return "refused";
  return Notification.permission === "granted" && localStorage.getItem(key) === "on" ? "on" : "off";
}

/** Storage tells other tabs, but not the one that wrote it. */
const changed = "guild-hall-notify";

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changed, onChange);
  window.addEventListener("storage", onChange);
  return () => {
    window.removeEventListener(changed, onChange);
    window.removeEventListener("storage", onChange);
  };
}
