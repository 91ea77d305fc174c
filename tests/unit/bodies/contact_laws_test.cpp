#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scree/bodies/materials.hpp"

#include "support/refusal.hpp"

namespace scree {
namespace {

const std::vector<Material> kMaterials{
    {"sand", 2600.0, {.young_modulus = 1e8, .poisson_ratio = 0.2}},
    {"steel", 7850.0, {.young_modulus = 2e11, .poisson_ratio = 0.3}},
    {"wall", 1.0, {}},
    {"glass", 2500.0, {}}};

std::string refusal(const FrictionPair& pair) {
  return test::refusal_of([&] { const ContactLaws laws(kMaterials, {&pair, 1}); });
}

TEST(ContactLaws, KeepWhatAPairIsGiven) {
  const std::vector<FrictionPair> pairs{{.between = {"steel", "sand"},
                                         .mu = 0.4,
                                         .rolling = 1e-3,
                                         .spinning = 2e-3,
                                         .cohesion = 3.0,
                                         .rupture_distance = 4e-3,
                                         .damping = 0.5}};
  const ContactLaws laws(kMaterials, pairs, {.law = StiffnessLaw::rod, .reference_force = 2.0});
  for (const auto& [a, b] : {std::pair{0, 1}, std::pair{1, 0}}) {
    const PairLaw& law = laws.law(a, b);
    EXPECT_EQ(law.mu, 0.4);
    EXPECT_EQ(law.rolling, 1e-3);
    EXPECT_EQ(law.spinning, 2e-3);
    EXPECT_EQ(law.cohesion, 3.0);
    EXPECT_EQ(law.rupture_distance, 4e-3);
    EXPECT_EQ(law.elasticity.damping, 0.5);
    EXPECT_EQ(law.elasticity.options.law, StiffnessLaw::rod);
    EXPECT_EQ(law.elasticity.options.reference_force, 2.0);
    EXPECT_EQ(law.elasticity.effective_modulus,
              effective_modulus(kMaterials[0].elastic, kMaterials[1].elastic));
  }
  // A is the first of the two that are asked for, whichever the row names first.
  EXPECT_EQ(laws.law(0, 1).elasticity.a.young_modulus, 1e8);
  EXPECT_EQ(laws.law(1, 0).elasticity.a.young_modulus, 2e11);
  EXPECT_EQ(laws.law(1, 0).elasticity.b.young_modulus, 1e8);
}

TEST(ContactLaws, ARestitutionSetsTheDampingOfACompliantPairAlone) {
  const std::vector<Material> rigid{{"steel", 7850.0}, {"sand", 2600.0}};
  const std::vector<FrictionPair> pairs{{.between = {"steel", "sand"}, .restitution = 0.5}};
  const PairLaw hard = ContactLaws(rigid, pairs).law(0, 1);
  EXPECT_EQ(hard.restitution, 0.5);
  EXPECT_FALSE(hard.elasticity.has_restitution);
  EXPECT_EQ(hard.elasticity.damping, 0.0);
  const ContactLaws laws(kMaterials, pairs);
  EXPECT_FALSE(laws.any_restitution());
  EXPECT_TRUE(ContactLaws(rigid, pairs).any_restitution());
  EXPECT_TRUE(laws.law(0, 1).elasticity.has_restitution);
  EXPECT_EQ(laws.law(0, 1).elasticity.damping, damping_ratio_of(0.5));
}

TEST(ContactLaws, ResistAlikeWhereAllPairsOfTheTableResistTheSameMotions) {
  const FrictionPair slides{.between = {"sand", "wall"}, .mu = 0.4};
  FrictionPair other{.between = {"wall", "glass"}, .mu = 0.2};
  const auto alike = [&] {
    return ContactLaws(kMaterials, std::vector<FrictionPair>{slides, other}).resist_alike();
  };
  EXPECT_TRUE(alike());
  other.rolling = 1e-3;
  EXPECT_FALSE(alike());
  other = {.between = {"wall", "glass"}, .mu = 0.0};
  EXPECT_FALSE(alike());
}

TEST(ContactLaws, OneSoftMaterialMakesAPairCompliantAndSoDoesAStiffness) {
  const std::vector<FrictionPair> pairs{{.between = {"sand", "wall"}},
                                        {.between = {"wall", "wall"}},
                                        {.between = {"wall", "glass"}, .stiffness = 1e4}};
  const ContactLaws laws(kMaterials, pairs);
  EXPECT_TRUE(laws.law(0, 2).elasticity.compliant());
  EXPECT_FALSE(laws.law(2, 2).elasticity.compliant());
  EXPECT_TRUE(laws.law(2, 3).elasticity.compliant());
  EXPECT_FALSE(laws.has(0, 1));
}

TEST(ContactLaws, RefuseDampingOfWhatIsRigid) {
  EXPECT_EQ(refusal({.between = {"wall", "glass"}, .damping = 0.1}),
            "friction: [wall, glass] has a damping, but is rigid; give a stiffness, or a "
            "young_modulus to one of the two");
  EXPECT_EQ(refusal({.between = {"wall", "glass"}, .stiffness = 1e3, .damping = 0.1}),
            "(accepted)");
  EXPECT_EQ(refusal({.between = {"wall", "sand"}, .damping = 0.1}), "(accepted)");
}

TEST(ContactLaws, TheDefaultIsTheLawOfPairsWithoutTheirOwn) {
  const std::vector<FrictionPair> pairs{{.between = {"default"}, .mu = 0.5, .damping = 0.1},
                                        {.between = {"steel", "sand"}, .mu = 0.2}};
  const ContactLaws laws(kMaterials, pairs);
  EXPECT_EQ(laws.mu(0, 1), 0.2);
  EXPECT_EQ(laws.mu(1, 0), 0.2);
  for (const auto& [a, b] : {std::pair{0, 0}, std::pair{1, 1}, std::pair{3, 0}, std::pair{2, 3}}) {
    EXPECT_EQ(laws.mu(a, b), 0.5) << a << b;
    EXPECT_EQ(laws.mu(b, a), 0.5) << a << b;
  }
  EXPECT_EQ(laws.law(0, 3).elasticity.a.young_modulus, 1e8);
  EXPECT_EQ(laws.law(3, 0).elasticity.b.young_modulus, 1e8);
  // a rigid pair that the default covers has no dashpot
  EXPECT_EQ(laws.law(0, 3).elasticity.damping, 0.1);
  EXPECT_EQ(laws.law(2, 3).elasticity.damping, 0.0);
  EXPECT_TRUE(laws.meetings().all());
  EXPECT_EQ(test::refusal_of([&] {
              const ContactLaws two(kMaterials, std::vector<FrictionPair>{pairs[0], pairs[0]});
            }),
            "friction: the default is given twice");
}

TEST(ContactLaws, MaterialsWithoutContactDoNotMeetAndHaveNoLaw) {
  const std::vector<FrictionPair> pairs{
      {.between = {"steel", "sand"}, .contact = PairContact::none},
      {.between = {"default"}, .mu = 0.5, .rolling = 1e-3}};
  const ContactLaws laws(kMaterials, pairs);
  EXPECT_FALSE(laws.meetings().meet(0, 1));
  EXPECT_FALSE(laws.meetings().meet(1, 0));
  EXPECT_TRUE(laws.meetings().meet(0, 0));
  EXPECT_TRUE(laws.meetings().meet(1, 2));
  EXPECT_FALSE(laws.has(0, 1));
  EXPECT_TRUE(laws.has(1, 2));
  EXPECT_TRUE(laws.resist_alike());
}

}  // namespace
}  // namespace scree
