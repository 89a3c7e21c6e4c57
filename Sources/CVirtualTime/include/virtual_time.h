/* Virtual clock and entropy: see virtual_time.c. */
