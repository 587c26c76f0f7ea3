/** File name of the chunk with the player. The build replaces it. */
declare const PLAYER_FILE: string;
