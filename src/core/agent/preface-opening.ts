/** Every preface begins with this line, so that the model can tell it from the person's words. */
export const prefaceOpening = "[From Guild Hall, not from the person]";
