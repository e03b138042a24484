/** Which lessons were answered: kept with the settings, in this browser and with the account. */
import { answered, settings } from "../settings.js";

/** The ids of a course's lessons that were answered. @param {string} course @returns {Set<string>} */
export const learned = (course) => new Set(answered(settings.prefs.learned, course));

/** @param {string} course @param {string} lesson */
export function remember(course, lesson) {
  const done = learned(course);
  if (done.has(lesson)) return;
  settings.set({ learned: { ...settings.prefs.learned, [course]: [...done, lesson] } });
}

/** Begin a course anew. @param {string} course */
export const forgetCourse = (course) =>
  settings.set({ learned: { ...settings.prefs.learned, [course]: [] } });

/** How many of these lessons were answered. @param {string} course @param {readonly string[]} lessons */
export function count(course, lessons) {
  const done = learned(course);
  return lessons.filter((id) => done.has(id)).length;
}
