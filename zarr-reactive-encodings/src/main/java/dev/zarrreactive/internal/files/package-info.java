/**
 * Formats of files as programs write them, and elements that are read from such files part by part:
 * NumPy, raw binary, tables and pictures. A call that reads a file blocks; whoever calls names the
 * thread.
 */
@NullMarked
package dev.zarrreactive.internal.files;

import org.jspecify.annotations.NullMarked;
