// The colours of code, and how a worker names them to the page. Knows no grammar, so that the page loads none.

/** The colours that a screen has. The place in this list stands for the name in what a worker answers. */
export const colours = ["keyword", "string", "number", "type", "function", "comment"] as const;
export type Colour = (typeof colours)[number];

/** For each line its stretches, three numbers each: from, to (by character), and the place of the colour in `colours`. */
export type LineColours = readonly (readonly number[])[];
