#include "help.h"
#include "kinds.h"
#include "papers.h"
#include <string.h>

/* What stands for a word in a usage line or for the value of an option. */
static const struct stand_in {
    const char *word, *line; /* line of bash */
} stand_ins[] = {
    {"SCENARIO", "_laggard_files '*.y?(a)ml'"},
    {"DIR", "_laggard_files ''"},
    {"DIR...", "_laggard_files ''"},
    {"FILE", "_laggard_files '*'"},
    {"TRACE.csv[:LOAD]...", "_laggard_files '*.@(csv|csv.gz)'"},
    {"[KIND", "_laggard_kinds"},
    {NULL, NULL},
};

static const char helpers[] =
    "# Completion of laggard's command line for bash, written from the tables that parse it.\n"
    "\n"
    "# Words that begin like the one at the cursor.\n"
    "_laggard_words() {\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\")\n"
    "}\n"
    "\n"
    "# Folders, and files that match the pattern.\n"
    "_laggard_files() {\n"
    "    local file\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r file; do\n"
    "        if [[ -d $file || ${file##*/} == $1 ]]; then\n"
    "            COMPREPLY+=(\"$file\")\n"
    "        fi\n"
    "    done < <(compgen -f -- \"$word\")\n"
    "}\n"
    "\n";

static void put_choices(FILE *out, const char *(*choice)(size_t index)) {
    fputs("_laggard_words '", out);
    for (size_t q = 0; choice(q); q++)
        fprintf(out, "%s%s", q > 0 ? " " : "", choice(q));
    fputc('\'', out);
}

static void put_stand_in(FILE *out, const char *word) {
    size_t length = strcspn(word, " ");
    for (const struct stand_in *stand_in = stand_ins; stand_in->word; stand_in++)
        if (strlen(stand_in->word) == length && memcmp(stand_in->word, word, length) == 0) {
            fputs(stand_in->line, out);
            return;
        }
    fputs("COMPREPLY=()", out);
}

static void put_names(FILE *out, const struct option_spec *options) {
    for (; options && options->name; options++) {
        fprintf(out, " --%s", options->name);
        if (options->letter)
            fprintf(out, " -%c", options->letter);
    }
}

/* What may follow an option that takes a value. */
static void put_values(FILE *out, const struct option_spec *options) {
    for (; options && options->name; options++) {
        if (!options->value)
            continue;
        if (options->letter)
            fprintf(out, "        --%s | -%c) ", options->name, options->letter);
        else
            fprintf(out, "        --%s) ", options->name);
        if (options->choice)
            put_choices(out, options->choice);
        else
            put_stand_in(out, options->value);
        fputs(" ;;\n", out);
    }
}

static void put_command(FILE *out, const struct command *command) {
    fprintf(out, "_laggard_%s() {\n    case $before in\n", command->name);
    put_values(out, command->options);
    fputs("        *)\n            if [[ $word == -* ]]; then\n                _laggard_words '", out);
    put_names(out, command->options);
    put_names(out, options_common);
    fputs("'\n            else\n                ", out);
    put_stand_in(out, command->usage);
    fputs("\n            fi\n            ;;\n    esac\n}\n\n", out);
}

/* `list KIND NAME`. */
static void put_kinds(FILE *out) {
    fputs("_laggard_kinds() {\n    case $COMP_CWORD:${COMP_WORDS[2]} in\n        2:*) _laggard_words '", out);
    for (const struct kind *kind = kinds; kind->name; kind++)
        fprintf(out, "%s%s", kind == kinds ? "" : " ", kind->name);
    fputs("' ;;\n", out);
    for (const struct kind *kind = kinds; kind->name; kind++) {
        fprintf(out, "        3:%s) _laggard_words '", kind->name);
        for (const struct variant *const *variant = kind->family->variants; *variant; variant++)
            fprintf(out, "%s%s", variant == kind->family->variants ? "" : " ", (*variant)->name);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n}\n\n", out);
}

static void put_command_names(FILE *out) {
    for (const struct command *const *command = commands; *command; command++)
        fprintf(out, "%s%s", command == commands ? "" : " ", (*command)->name);
}

void completion_write(FILE *out) {
    fputs(helpers, out);
    put_kinds(out);
    for (const struct command *const *command = commands; *command; command++)
        put_command(out, *command);
    fputs("_laggard() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    # Bash takes the equals sign of --format=svg for a word of its own.\n"
          "    if [[ $word == '=' ]]; then\n"
          "        word=\n"
          "    elif [[ $before == '=' ]]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    COMPREPLY=()\n"
          "    case $COMP_CWORD:${COMP_WORDS[1]} in\n"
          "        1:*) _laggard_words '",
          out);
    put_command_names(out);
    fputs(" help", out);
    put_names(out, options_common);
    fputs("' ;;\n        2:help) _laggard_words '", out);
    put_command_names(out);
    fputs("' ;;\n", out);
    for (const struct command *const *command = commands; *command; command++)
        fprintf(out, "        *:%s) _laggard_%s ;;\n", (*command)->name, (*command)->name);
    fputs("    esac\n}\ncomplete -F _laggard laggard\n", out);
}
