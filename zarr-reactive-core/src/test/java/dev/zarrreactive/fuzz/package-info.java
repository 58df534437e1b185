/** Random documents and chunks: nothing that is stored may end in anything but data or an error. */
package dev.zarrreactive.fuzz;
