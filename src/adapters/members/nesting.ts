/** More than anybody means to write; what is nested a few thousand times deeper ends the stack of whoever prints it. */
const mostLevels = 200;

export const tooDeep = "It is nested too deeply.";

export const isTooDeep = (value: unknown, levels = mostLevels): boolean => {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1));
};
