// Ids of positions: what is written is read, and whatever else is read says what is wrong.
#include "check.h"
#include "sheshbesh/position_id.h"
#include "sheshbesh/random.h"

namespace sheshbesh {
namespace {

// A game in which every field of an id may stand.
Ruleset rich() {
    Ruleset rules;
    rules.setup = Counts{15} << (4 * 24);
    rules.contact = Contact::pin;
    rules.progression_from = 3;
    rules.unused_to_opponent = true;
    rules.forfeit_simple = true;
    rules.one_two_bonus = OneTwoBonus::always;
    rules.head_limit = 1;
    rules.last_roll_tie = true;
    rules.mother = Mother::plays_on;
    return rules;
}

TEST("an id says everything of a position") {
    for (const char* const text :
         {"O22o:w:sw", "(Na)22n:w:t2.1:sb:mb:p555+!h1", "N(nA)21a:b:t0.2:sw:p65!", "O22o:b:t1.2:sw:mw:p?h1"}) {
        const ReadId found = read_id(rich(), text);
        test::context() = text;
        CHECK(found.problems.empty());
        if (found.problems.empty()) CHECK_EQUAL(write_id(rich(), state_of(rich(), found.description)), text);
    }
}

TEST("the length of an id counts characters, not bytes") {
    const auto first = [](int accented) {
        std::string text = "O22o:w:";
        for (int n = 7; n < accented; ++n) text += "\xc3\xa9";
        return read_id(rich(), text).problems.at(0).fault;
    };
    CHECK(first(kLongestId) == Fault::id_field);
    CHECK(first(kLongestId + 1) == Fault::id_long);
}

TEST("a damaged id is read without harm, and what is read is written again") {
    const std::string alphabet = "AOaoPp0123456789():wbxhtsm.?+!\xc3\xa9";
    const std::string whole = "(Na)22n:w:x0.0:h0.0:t2.1:sb:mb:p555+!h1";
    Random random(1);
    const auto below = [&](std::size_t most) { return random.below(static_cast<std::uint32_t>(most)); };
    for (int n = 0; n < 20'000; ++n) {
        std::string text = whole.substr(0, below(whole.size() + 1));
        for (std::size_t changes = below(3); changes > 0 && !text.empty(); --changes) {
            text[below(text.size())] = alphabet[below(alphabet.size())];
        }
        test::context() = text;
        const ReadId found = read_id(rich(), text);
        if (!found.problems.empty()) continue;
        const State state = state_of(rich(), found.description);
        CHECK(state_of(rich(), read_id(rich(), write_id(rich(), state)).description) == state);
    }
}

}  // namespace
}  // namespace sheshbesh
