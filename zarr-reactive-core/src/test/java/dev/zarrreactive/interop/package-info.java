/** What other implementations wrote is read here, and what is written here is read by others. */
package dev.zarrreactive.interop;
