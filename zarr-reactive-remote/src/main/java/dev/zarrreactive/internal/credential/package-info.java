/** Keeps and renews the credentials of stores. */
@NullMarked
package dev.zarrreactive.internal.credential;

import org.jspecify.annotations.NullMarked;
