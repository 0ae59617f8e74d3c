// How many seams there are at least. Raised when there are more; lowered only together with the code that they stood in.

export const leastSeams = 1_200;
