/** The file {@code .netrc}, with users and passwords of hosts. */
@NullMarked
package dev.zarrreactive.internal.netrc;

import org.jspecify.annotations.NullMarked;
