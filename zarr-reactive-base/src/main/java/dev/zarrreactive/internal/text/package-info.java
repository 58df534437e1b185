/** Text for messages to people. */
@NullMarked
package dev.zarrreactive.internal.text;

import org.jspecify.annotations.NullMarked;
