/** What can go wrong, as one sealed family of exceptions that say where it went wrong. */
@NullMarked
package dev.zarrreactive.error;

import org.jspecify.annotations.NullMarked;
